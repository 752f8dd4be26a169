/** `1 file`, `2 files` */
export const counted = (count: number, one: string): string =>
  `${String(count)} ${one}${count === 1 ? '' : 's'}`
