/** A process that gave no sign of life for this many milliseconds is dead: three signs, and clocks that differ by 30 s. */
export const silenceMs = 120_000
