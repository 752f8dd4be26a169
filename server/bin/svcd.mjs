#!/usr/bin/env node
// Starts svcd with the pinned Node, whatever Node runs this. Plain JavaScript, for old Nodes.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pinnedNode, root } from '../../scripts/pinned-node.mjs'
import { prepare } from '../../scripts/prepare.mjs'

if (pinnedNode() === undefined) prepare()
const main = join(root, 'server', 'src', 'main.ts')
const child = spawn(pinnedNode(), [main, ...process.argv.slice(2)], { stdio: 'inherit' })

// A terminal sends its signals to both processes; others only know this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)))
