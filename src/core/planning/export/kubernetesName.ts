/** A DNS subdomain (RFC 1123), as names of classes and volumes are. */
export function isKubernetesName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label));
}
