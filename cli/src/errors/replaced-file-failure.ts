import { Failure } from './failure.ts'

/** A file that was replaced during its download: what has come is of no use for another run. */
export class ReplacedFileFailure extends Failure {}

export const isReplacedFile = (error: unknown): boolean => error instanceof ReplacedFileFailure
