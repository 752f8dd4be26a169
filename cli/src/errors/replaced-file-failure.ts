import { Failure } from './failure.ts'

/** A file that was replaced during its download: another run cannot continue from the bytes that have arrived. */
export class ReplacedFileFailure extends Failure {}

export const isReplacedFile = (error: unknown): boolean => error instanceof ReplacedFileFailure
