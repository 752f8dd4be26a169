export interface TouchPoint {
  readonly x: number
  readonly y: number
}

/** Pixels that a finger moves to the side at least, and how much more than up or down. */
const distance = 50
const steepness = 2

/** The direction in which a finger moved; undefined for taps and scrolling. */
export function swipeOf(from: TouchPoint, to: TouchPoint): 'left' | 'right' | undefined {
  const [across, along] = [to.x - from.x, Math.abs(to.y - from.y)]
  if (Math.abs(across) < distance || Math.abs(across) < steepness * along) return undefined
  return across < 0 ? 'left' : 'right'
}
