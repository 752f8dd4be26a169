#!/usr/bin/env node
// Starts svcd with the pinned Node, whatever Node runs this. Plain JavaScript, for old Nodes.
import { spawn } from 'node:child_process'
import { prepare } from '../../scripts/prepare.mjs'
import { serverProcess } from '../../scripts/server-process.mjs'

prepare()
const { command, args, env } = serverProcess(process.argv.slice(2))
const child = spawn(command, args, { stdio: 'inherit', env: { ...env, ...process.env } })

// A terminal sends SIGINT to both processes; the other signals only reach this one.
process.on('SIGINT', () => undefined)
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
