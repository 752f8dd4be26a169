import { DatabaseError } from '../../metadata/dialects/errors.ts'

/** Steps that run one after the other, each whether or not those before it failed. */
export interface IndependentSteps {
  /**
   * @returns the result of the step, or `otherwise` if it failed
   * @throws the reason of the signal, and errors of a database that cannot work now, which would fail every other step, too
   */
  run<Result>(step: () => Promise<Result>, otherwise: Result): Promise<Result>
  /** @throws the error of a failed step; an `AggregateError` of several */
  throwErrors(): void
}

/** @param signal ends the steps */
export function independentSteps(signal: AbortSignal | undefined): IndependentSteps {
  const errors: unknown[] = []
  return {
    async run(step, otherwise) {
      try {
        return await step()
      } catch (error) {
        if (signal?.aborted === true || error instanceof DatabaseError) throw error
        errors.push(error)
        return otherwise
      }
    },
    throwErrors() {
      if (errors.length === 1) throw errors[0]
      if (errors.length > 1)
        throw new AggregateError(errors, `${String(errors.length)} steps of the cleanup failed`)
    },
  }
}
