/** `step-1000`, `iter_0000005`, `global_step20`, `1000`. */
export function stepOfName(name: string): number | null {
  const digits = /^(?:[a-z_-]*(?:step|iter|iteration|checkpoint|ckpt)s?[-_=]?)?0*(\d{1,15})$/i.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}
