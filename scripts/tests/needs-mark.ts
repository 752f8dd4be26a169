/** Precedes the reason in the name of a test that is left out. */
export const leftOutMark = ' — not tested here: '
