/** `1 file`, `2 files` */
export const counted = (count: number, singular: string): string =>
  `${String(count)} ${singular}${count === 1 ? '' : 's'}`
