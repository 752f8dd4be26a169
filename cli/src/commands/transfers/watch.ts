import { resolve } from 'node:path'
import { defineCommand, type ArgsDef } from 'citty'
import { parseDuration } from '@svc/contract'
import { printable } from '@svc/terminal'
import { allValues } from '../../arguments/check-arguments.ts'
import { uploadArgsDef } from '../../arguments/upload-args.ts'
import { errorMessage } from '../../errors/error-message.ts'
import { usageFailure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'
import { watchFolder } from '../../watch/watch-folder.ts'
import { sendPaths } from './upload.ts'

const without = <All extends object, Name extends keyof All & string>(
  all: All,
  names: readonly Name[],
): Omit<All, Name> =>
  Object.fromEntries(
    Object.entries(all).filter(([name]) => !names.some((excluded) => excluded === name)),
  ) as unknown as Omit<All, Name>

// Each file is an upload; several JSON values would not be one.
const options = without(uploadArgsDef, ['files', 'name', 'json', 'archive', 'yes', 'mail', 'message'])

const argsDef = {
  folder: { type: 'positional', required: true, description: 'Folder to watch, with the folders in it' },
  settle: {
    type: 'string',
    valueHint: 'DURATION',
    description: 'Time without a change after which a file is complete (default: 2s)',
  },
  ...options,
} as const satisfies ArgsDef

export const watch = (program: Program) =>
  defineCommand({
    meta: {
      name: 'watch',
      description: 'Upload each file that appears in a folder, until you press Ctrl-C',
    },
    args: argsDef,
    async run({ args, rawArgs }) {
      const seconds = parseDuration(args.settle ?? '2s')
      if (seconds === undefined || seconds < 1)
        throw usageFailure(`--settle must be a duration such as 2s or 1m; not ${args.settle ?? ''}`)
      const { folder, quiet } = args
      const path = resolve(program.directory, folder)
      const upload = {
        args: { ...args, _: [] },
        valuesOf: (name: string) => allValues(argsDef, rawArgs, name),
      }
      await watchFolder(program, {
        folder: path,
        quietMs: seconds * 1000,
        onReady: () => {
          if (quiet !== true) program.printToStderr(`watching ${printable(path)}; Ctrl-C ends it`)
        },
        onFile: async (file) => {
          try {
            await sendPaths(program, upload, [file])
          } catch (error) {
            if (!program.interrupted.aborted)
              program.printToStderr(`${printable(file)}: ${printable(errorMessage(error))}`)
          }
        },
        onSkipped: (skipped, reason) => {
          program.printToStderr(`${printable(skipped)}: ${printable(reason)}`)
        },
      })
    },
  })
