import type { Service } from '../../core/service.ts'
import { withService } from '../../composition/server.ts'
import type { Program } from './program.ts'
import { readConfig } from './read-config.ts'

/**
 * Runs a command's work on the data of the configured service, whether a server is running or not.
 * @throws ConfigError, and the errors of `work`
 */
export const onService = <Result>(
  program: Program,
  { config }: { readonly config?: string | undefined },
  work: (service: Service) => Promise<Result>,
): Promise<Result> => withService(readConfig(program, config), work, { clock: program.clock })
