/** Functions and classes that cloudpickle wrote into a pickle: one error for all of a file, and the names of what else is in it. */
import { expect, it } from 'vitest';
import { concat } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { global, none, pickle, reduce, str, tuple } from '../../builders/pickleBuilder.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

/** What cloudpickle 3.1 on Python 3.11 or 3.12 wrote of objects of a script, by `cloudpickle.dumps`. */
const written = {
  /** A function within a function, with a cell. */
  closure:
    'gAWVNwIAAAAAAACMF2Nsb3VkcGlja2xlLmNsb3VkcGlja2xllIwOX21ha2VfZnVuY3Rpb26Uk5QoaACMDV9idWlsdGluX3R5cGWUk5SMCENvZGVUeXBllIWUUpQoSwFLAEsASwFLAksTQw6VAZcAfACJAXoFAABTAJROhZQpjAFwlIWUjBMvdG1wL3gvajItdG1wL2NwLnB5lIwIc2NoZWR1bGWUjBZtYWtlLjxsb2NhbHM+LnNjaGVkdWxllEsFQw34gADYDxCQF4l50AgYlEMAlIwHaW5pdGlhbJSFlCl0lFKUfZQojAtfX3BhY2thZ2VfX5ROjAhfX25hbWVfX5SMCF9fbWFpbl9flIwIX19maWxlX1+UaAx1Tk5oAIwQX21ha2VfZW1wdHlfY2VsbJSTlClSlIWUdJRSlGgAjBJfZnVuY3Rpb25fc2V0c3RhdGWUk5RoH32UfZQoaBeMCHNjaGVkdWxllIwMX19xdWFsbmFtZV9flIwWbWFrZS48bG9jYWxzPi5zY2hlZHVsZZSMD19fYW5ub3RhdGlvbnNfX5R9lIwOX19rd2RlZmF1bHRzX1+UTowMX19kZWZhdWx0c19flE6MCl9fbW9kdWxlX1+UaBiMB19fZG9jX1+UTowLX19jbG9zdXJlX1+UaACMCl9tYWtlX2NlbGyUk5RHP7mZmZmZmZqFlFKUhZSMF19jbG91ZHBpY2tsZV9zdWJtb2R1bGVzlF2UjAtfX2dsb2JhbHNfX5R9lHWGlIZSMC4=',
  /** A closure, a function, and an instance of a class of the script. */
  several:
    'gAWVlQQAAAAAAAB9lCiMAWGUjBdjbG91ZHBpY2tsZS5jbG91ZHBpY2tsZZSMDl9tYWtlX2Z1bmN0aW9ulJOUKGgCjA1fYnVpbHRpbl90eXBllJOUjAhDb2RlVHlwZZSFlFKUKEsBSwBLAEsBSwJLE0MOlQGXAHwAiQF6BQAAUwCUToWUKYwBcJSFlIwTL3RtcC94L2oyLXRtcC9jcC5weZSMCHNjaGVkdWxllIwWbWFrZS48bG9jYWxzPi5zY2hlZHVsZZRLBUMN+IAA2A8QkBeJedAIGJRDAJSMB2luaXRpYWyUhZQpdJRSlH2UKIwLX19wYWNrYWdlX1+UTowIX19uYW1lX1+UjAhfX21haW5fX5SMCF9fZmlsZV9flGgOdU5OaAKMEF9tYWtlX2VtcHR5X2NlbGyUk5QpUpSFlHSUUpRoAowSX2Z1bmN0aW9uX3NldHN0YXRllJOUaCF9lH2UKGgZjAhzY2hlZHVsZZSMDF9fcXVhbG5hbWVfX5SMFm1ha2UuPGxvY2Fscz4uc2NoZWR1bGWUjA9fX2Fubm90YXRpb25zX1+UfZSMDl9fa3dkZWZhdWx0c19flE6MDF9fZGVmYXVsdHNfX5ROjApfX21vZHVsZV9flGgajAdfX2RvY19flE6MC19fY2xvc3VyZV9flGgCjApfbWFrZV9jZWxslJOURz/JmZmZmZmahZRSlIWUjBdfY2xvdWRwaWNrbGVfc3VibW9kdWxlc5RdlIwLX19nbG9iYWxzX1+UfZR1hpSGUjCMAWKUaAQoaAkoSwFLAEsASwFLAksDQwyXAHwAZAF6BQAAUwCUTkc/M6kqMFUyYYaUKYwIcHJvZ3Jlc3OUhZRoDowCbHKUjAJscpRLAkMMgADYCxOQRIk90AQYlGgSKSl0lFKUaBdOTk50lFKUaCNoRX2UfZQoaBmMAmxylGgnjAJscpRoKX2UaCtOaCxOaC1oGmguTmgvTmg1XZRoN32UdYaUhlIwjAFjlGgCjBRfbWFrZV9za2VsZXRvbl9jbGFzc5STlCiMCGJ1aWx0aW5zlIwEdHlwZZSTlIwHRmVhdHVyZZRoUYwGb2JqZWN0lJOUhZR9lGgtjAhfX21haW5fX5RzjCBmNmNlMjUyN2E3ZDU0OWVkOTA4NGFiYWVjYjkzYmVlM5ROdJRSlGgCjA9fY2xhc3Nfc2V0c3RhdGWUk5RoXH2UKIwHX19kb2NfX5ROjApfX21vZHVsZV9flGhZjA1fX3Nsb3RuYW1lc19flF2UjAdmb3J3YXJklGgEKGgJKEsCSwBLAEsCSwJLA0MWlwB8AXwAagAAAAAAAAAAAHoAAABTAJRoC4wBeJSFlIwEc2VsZpRoAYaUaA6MB2ZvcndhcmSUjA9GZWF0dXJlLmZvcndhcmSUSwpDDIAAoBGgNKQ2oRiYL5RoEikpdJRSlGgXTk5OdJRSlGgjaHB9lH2UKGgZjAdmb3J3YXJklGgnjA9GZWF0dXJlLmZvcndhcmSUaCl9lGgrTmgsTmgtaBpoLk5oL05oNV2UaDd9lHWGlIZSMIwBeJRLAXV9lIaUhlIwKYGUdS4=',
  /** A function that uses a global `os.system`. */
  global:
    'gAWV9QEAAAAAAACMF2Nsb3VkcGlja2xlLmNsb3VkcGlja2xllIwOX21ha2VfZnVuY3Rpb26Uk5QoaACMDV9idWlsdGluX3R5cGWUk5SMCENvZGVUeXBllIWUUpQoSwFLAEsASwFLA0sDQyCXAHQBAAAAAAAAAAAAAHwApgEAAKsBAAAAAAAAAABTAJROhZSMBnN5c3RlbZSFlIwBYZSFlIwUL3RtcC94L2oyLXRtcC9jcDIucHmUjANldjKUjANldjKUSwdDDYAAlTaYIZE5lDnQDByUQwCUKSl0lFKUfZQojAtfX3BhY2thZ2VfX5ROjAhfX25hbWVfX5SMCF9fbWFpbl9flIwIX19maWxlX1+UaA51Tk5OdJRSlGgAjBJfZnVuY3Rpb25fc2V0c3RhdGWUk5RoG32UfZQoaBeMA2V2MpSMDF9fcXVhbG5hbWVfX5SMA2V2MpSMD19fYW5ub3RhdGlvbnNfX5R9lIwOX19rd2RlZmF1bHRzX1+UTowMX19kZWZhdWx0c19flE6MCl9fbW9kdWxlX1+UaBiMB19fZG9jX1+UTowLX19jbG9zdXJlX1+UTowXX2Nsb3VkcGlja2xlX3N1Ym1vZHVsZXOUXZSMC19fZ2xvYmFsc19flH2UaAqMBXBvc2l4lIwGc3lzdGVtlJOUc3WGlIZSMC4=',
  /** A function that uses the module `os`. */
  module:
    'gAWVBQIAAAAAAACMF2Nsb3VkcGlja2xlLmNsb3VkcGlja2xllIwOX21ha2VfZnVuY3Rpb26Uk5QoaACMDV9idWlsdGluX3R5cGWUk5SMCENvZGVUeXBllIWUUpQoSwFLAEsASwFLA0sDQyqXAHQBAAAAAAAAAAAAAGoBAAAAAAAAAAB8AKYBAACrAQAAAAAAAAAAUwCUToWUjAJvc5SMBnN5c3RlbZSGlIwBYZSFlIwUL3RtcC94L2oyLXRtcC9jcDIucHmUjAJldpSMAmV2lEsCQw+AAJUilCmYQZEslCzQCx6UQwCUKSl0lFKUfZQojAtfX3BhY2thZ2VfX5ROjAhfX25hbWVfX5SMCF9fbWFpbl9flIwIX19maWxlX1+UaA91Tk5OdJRSlGgAjBJfZnVuY3Rpb25fc2V0c3RhdGWUk5RoHH2UfZQoaBiMAmV2lIwMX19xdWFsbmFtZV9flIwCZXaUjA9fX2Fubm90YXRpb25zX1+UfZSMDl9fa3dkZWZhdWx0c19flE6MDF9fZGVmYXVsdHNfX5ROjApfX21vZHVsZV9flGgZjAdfX2RvY19flE6MC19fY2xvc3VyZV9flE6MF19jbG91ZHBpY2tsZV9zdWJtb2R1bGVzlF2UjAtfX2dsb2JhbHNfX5R9lGgKaACMCXN1YmltcG9ydJSTlGgKhZRSlHN1hpSGUjAu',
  /** An object that loading makes by calling an embedded function. */
  called:
    'gAWVEQIAAAAAAACMF2Nsb3VkcGlja2xlLmNsb3VkcGlja2xllIwOX21ha2VfZnVuY3Rpb26Uk5QoaACMDV9idWlsdGluX3R5cGWUk5SMCENvZGVUeXBllIWUUpQoSwFLAEsASwFLAksTQw6VAZcAfACJAXoFAABTAJROhZQpjAFwlIWUjBQvdG1wL3gvajItdG1wL2NwMi5weZSMAWeUjA9tYWtlLjxsb2NhbHM+LmeUSwxDC/iAAJBRkHGRU4hqlEMAlIwBaZSFlCl0lFKUfZQojAtfX3BhY2thZ2VfX5ROjAhfX25hbWVfX5SMCF9fbWFpbl9flIwIX19maWxlX1+UaAx1Tk5oAIwQX21ha2VfZW1wdHlfY2VsbJSTlClSlIWUdJRSlGgAjBJfZnVuY3Rpb25fc2V0c3RhdGWUk5RoH32UfZQoaBdoDYwMX19xdWFsbmFtZV9flIwPbWFrZS48bG9jYWxzPi5nlIwPX19hbm5vdGF0aW9uc19flH2UjA5fX2t3ZGVmYXVsdHNfX5ROjAxfX2RlZmF1bHRzX1+UTowKX19tb2R1bGVfX5RoGIwHX19kb2NfX5ROjAtfX2Nsb3N1cmVfX5RoAIwKX21ha2VfY2VsbJSTlEsBhZRSlIWUjBdfY2xvdWRwaWNrbGVfc3VibW9kdWxlc5RdlIwLX19nbG9iYWxzX1+UfZR1hpSGUjBLAoWUUpQu',
};

async function findingsOf(file: Uint8Array): Promise<string[]> {
  const { findings } = await inspectAnyHostile(memoryTree('m', { 'agent.pkl': file }));
  return findings.map(({ code, message }) => (code === 'pickle-embeds-code' ? message : code));
}

it.each([
  ['closure', ['Pickle contains bytecode of functions or classes: schedule.']],
  ['several', ['Pickle contains bytecode of functions or classes: schedule, lr, Feature, forward.']],
  ['global', ['Pickle contains bytecode of functions or classes: ev2.', 'pickle-import-unexpected']],
  ['module', ['pickle-calls-unexpected', 'Pickle contains bytecode of functions or classes: ev.']],
  ['called', ['pickle-calls-unexpected', 'Pickle contains bytecode of functions or classes: g.']],
] as const)('of %s', async (name, expected) => {
  const found = await findingsOf(new Uint8Array(Buffer.from(written[name], 'base64')));
  expect(found.toSorted()).toEqual([...expected].sort());
});

const maker = (name: string): Uint8Array => global('cloudpickle.cloudpickle', name);
const codeType = reduce(maker('_builtin_type'), tuple(str('CodeType')));

it.each([
  ['another type than that of code', reduce(maker('_builtin_type'), tuple(str('sys')))],
  ['a function of no code', reduce(maker('_make_function'), tuple(none()))],
  ['a state of no function', reduce(maker('_function_setstate'), tuple(none(), none()))],
  ['a cell of what must not be called', reduce(maker('_make_cell'), tuple(global('os', 'system')))],
  ['code without a name', reduce(codeType, tuple(none()))],
  [
    'the same names in another package',
    reduce(global('mycloudpickle.evil', '_make_cell'), tuple(reduce(global('os', 'system'), tuple(str('x'))))),
  ],
])('is not said of %s', async (_, made) => {
  expect(await findingsOf(pickle(concat(made)))).toContain('pickle-calls-unexpected');
});
