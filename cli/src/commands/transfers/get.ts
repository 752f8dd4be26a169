import { defineCommand } from 'citty'
import { printableJson } from '@svc/terminal'
import { getArguments } from '../../arguments/get.ts'
import { everyValue } from '../../arguments/check-arguments.ts'
import { jobsOption, transferOptions } from '../../arguments/values.ts'
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
    args: getArguments,
    async run({ args: given, rawArgs }) {
      const every = (name: string) => everyValue(getArguments, rawArgs, name)
      const { rate, ...options } = transferOptions(given)
      const settings = {
        ...options,
        rateLimit: createRateLimit(program.clock, rate),
        jobs: jobsOption(given.jobs),
      }
      const patterns = every('file')
      // Report an invalid link before the first request.
      given._.forEach(parseDownload)
      const keySource = createKeySource(program, { ...given, identities: every('identity') })
      try {
        await notifyAfter(program, given.notify === true, 'Download', async () => {
          const results: FileResult[] = []
          for (const link of given._)
            results.push(...(await getLink(program, { given, settings, patterns, keySource, link })))
          if (given.json === true) program.print(printableJson(results.map(resultValue)))
          program.fail(statusFor(results))
        })
      } finally {
        await keySource.close()
      }
    },
  })
