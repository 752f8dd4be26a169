import { defineCommand, type ArgsDef } from 'citty'
import { printable, printableJson } from '@svc/terminal'
import { outputArgsDef, serverArgsDef } from '../../arguments/common-args.ts'
import { findTarget } from '../../config/target.ts'
import { checkComputer } from '../../doctor/check-computer.ts'
import { checkServer } from '../../doctor/check-server.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import type { Program } from '../../program/program.ts'

const { json } = outputArgsDef
const argsDef = { ...serverArgsDef, json } as const satisfies ArgsDef

export const doctor = (program: Program) =>
  defineCommand({
    meta: {
      name: 'doctor',
      description:
        'Check the settings, the connection to the server, its certificate, clock, version and limits',
    },
    args: argsDef,
    async run({ args }) {
      const target = await findTarget(program, args)
      const { server } = target
      const findings = [
        ...(await checkComputer(program, target)),
        ...(server === undefined ? [] : await checkServer(program, { ...target, server })),
      ]
      if (args.json === true) program.print(printableJson(findings))
      else
        for (const { level, about, message } of findings)
          program.print(`${level.padEnd(4)}  ${printable(about)}: ${printable(message)}`)
      if (findings.some(({ level }) => level === 'fail')) program.fail(exitCodes.refused)
    },
  })
