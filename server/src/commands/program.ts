/** The process that a command runs in, as far as commands need it; `main.ts` alone touches the real one. */
export interface Program {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The working directory. */
  readonly directory: string
  print(line: string): void
  complain(line: string): void
  /** Sets the status with which the process will end. */
  fail(status: number): void
  /** Calls back for each signal that asks the process to end. */
  onStopSignal(stop: () => void): void
  exit(status: number): never
}
