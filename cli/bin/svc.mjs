#!/usr/bin/env node
// Starts svc with the pinned Node, whatever Node runs this. Plain JavaScript, for old Nodes.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pinnedNode, root } from '../../scripts/pinned-node.mjs'
import { prepare } from '../../scripts/prepare.mjs'

prepare()
const program = join(root, 'clients/svc.mjs')
const child = spawn(pinnedNode(), [program, ...process.argv.slice(2)], { stdio: 'inherit' })

// A terminal sends SIGINT to both processes; the other signals only reach this one.
process.on('SIGINT', () => undefined)
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
