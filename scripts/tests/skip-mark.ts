/** Precedes the reason in the name of a test that is skipped. */
export const skipMark = ' — not tested here: '
