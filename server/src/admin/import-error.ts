/** Something that is not done, with a sentence for whoever asked that says why. */
export class Refused extends Error {
  override readonly name = 'Refused'

  constructor(reason: string, cause?: unknown) {
    super(reason, { cause })
  }
}
