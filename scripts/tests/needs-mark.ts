/** Stands in the name of a test that is left out, before the reason. */
export const leftOutMark = ' — not tested here: '
