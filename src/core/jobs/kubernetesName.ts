/** A DNS subdomain (RFC 1123), as names of classes and volumes are. */
export function isKubernetesName(name: string): boolean {
  return /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(name);
}
