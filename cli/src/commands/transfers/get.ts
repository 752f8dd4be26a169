import { defineCommand } from 'citty'
import { printableJson } from '@svc/terminal'
import { getArgsDef } from '../../arguments/get-args.ts'
import { allValues } from '../../arguments/check-arguments.ts'
import { parseJobsOption, parseTransferOptions } from '../../arguments/option-values.ts'
import { getLink, statusFor } from '../../download/get-link.ts'
import { resultValue, type FileResult } from '../../sources/result.ts'
import { createKeySource } from '../../encryption/key-source.ts'
import { parseDownload } from '../../addresses/web-address.ts'
import { notifyAfter } from '../../interactive/notify.ts'
import type { Program } from '../../program/program.ts'
import { createRateLimit } from '../../transfer/rate-limit.ts'

export const get = (program: Program) =>
  defineCommand({
    meta: {
      name: 'get',
      description:
        'Download the files of uploads, or files from any other web server. An interrupted download resumes when you run the command again',
    },
    args: getArgsDef,
    async run({ args, rawArgs }) {
      const valuesOf = (name: string) => allValues(getArgsDef, rawArgs, name)
      const { rate, ...options } = parseTransferOptions(args)
      const settings = {
        ...options,
        rateLimit: createRateLimit(program.clock, rate),
        jobs: parseJobsOption(args.jobs),
      }
      const patterns = valuesOf('file')
      // Report an invalid link before the first request.
      args._.forEach(parseDownload)
      const keySource = createKeySource(program, { ...args, identities: valuesOf('identity') })
      try {
        await notifyAfter(program, args.notify === true, 'Download', async () => {
          const results: FileResult[] = []
          for (const link of args._)
            results.push(...(await getLink(program, { args, settings, patterns, keySource, link })))
          if (args.json === true) program.print(printableJson(results.map(resultValue)))
          program.fail(statusFor(results))
        })
      } finally {
        await keySource.close()
      }
    },
  })
