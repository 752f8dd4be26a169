import { getuid, report } from 'node:process'
import { defineCommand } from 'citty'
import { metaOf } from './base/descriptions.ts'
import { fail, printable, type Finding } from '@svc/terminal'
import { runChecks } from '../check/run.ts'
import type { Config } from '../config/config.ts'
import { configOrigin } from '../config/load.ts'
import { ConfigError } from '../config/sources/problems.ts'
import { componentsToCheck } from '../composition/server.ts'
import { formatCount } from './terminal/formats.ts'
import { printResult } from './terminal/print-result.ts'
import { commonArguments } from './base/common-arguments.ts'
import type { Program } from './base/program.ts'
import { configSources, readConfig } from './base/read-config.ts'

export const check = (program: Program) =>
  defineCommand({
    meta: metaOf('check'),
    args: commonArguments,
    async run({ args }) {
      const findings = await findingsOf(program, args.config)
      printResult(program, args, findings, () => formatFindings(findings))
      if (findings.some(({ level }) => level === 'fail')) program.fail(1)
    },
  })

async function findingsOf(program: Program, file: string | undefined): Promise<readonly Finding[]> {
  let config: Config
  try {
    config = readConfig(program, file)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(({ key, message }) => fail(key, message))
  }
  const { clock } = program
  const origin = configOrigin(configSources(program, file))
  return runChecks({
    config,
    origin,
    components: componentsToCheck(config),
    clock,
    openFiles: maxOpenFiles(),
    userId: getuid?.(),
  })
}

function formatFindings(findings: readonly Finding[]): readonly string[] {
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  const lines = findings.map(
    ({ level, about, message }) => `${level.padEnd(4)}  ${printable(about)}: ${printable(message)}`,
  )
  return [...lines, `${formatCount(count('fail'), 'error')}, ${formatCount(count('warn'), 'warning')}`]
}

/** The system's limit for this process. */
function maxOpenFiles(): number | undefined {
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}
