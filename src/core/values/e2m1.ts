/** Values of E2M1 by their codes (OCP microscaling specification 1.0). */
export const e2m1: readonly number[] = [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6];
