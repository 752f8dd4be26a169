import type { Service } from '../../core/service.ts'
import { withService } from '../../composition/server.ts'
import type { Program } from './program.ts'
import { readConfig } from './read-config.ts'

type OnService = <Result>(
  program: Program,
  options: { readonly config?: string | undefined },
  work: (service: Service) => Promise<Result>,
) => Promise<Result>

const onServiceThat =
  ({ readsOnly }: { readonly readsOnly: boolean }): OnService =>
  (program, { config }, work) =>
    withService(readConfig(program, config), work, { clock: program.clock, readsOnly })

/**
 * Runs a command's work on the data of the configured service, whether a server is running or not.
 * @throws ConfigError, and the errors of `work`
 */
export const onService = onServiceThat({ readsOnly: false })

/** The same for work that changes nothing, which is also possible while the disk of the database is full. */
export const onServiceToRead = onServiceThat({ readsOnly: true })
