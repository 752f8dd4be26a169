import type { PluginDialog } from '@svc/encryption/plugin'
import { printable } from '@svc/terminal'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure } from '../errors/failure.ts'
import { ask, canAsk, confirm } from '../interactive/ask.ts'
import type { Program } from '../program/program.ts'

/** What plugins of age say and ask, at the terminal. */
export function pluginDialog(program: Program): PluginDialog {
  const requireTerminal = () => {
    if (!canAsk(program)) throw new Failure('no terminal to ask', exitCodes.locked)
  }
  return {
    show: (message) => {
      program.printToStderr(printable(message))
    },
    async ask(message, echo) {
      requireTerminal()
      return ask(program, `${printable(message)}: `, echo)
    },
    async choose(message, yes, no) {
      requireTerminal()
      const words = [yes, ...(no === undefined ? [] : [no])].map(printable).join(' / ')
      return confirm(program, `${printable(message)} (${words})`)
    },
  }
}
