#!/usr/bin/env node
// Starts svcd with the pinned Node, whatever Node runs this. Plain JavaScript, for old Nodes.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pinnedNode, root } from '../../scripts/pinned-node.mjs'
import { prepare } from '../../scripts/prepare.mjs'

// Objects of a request die young: small spaces for new ones cost little speed and save memory that would stay.
const flags = ['--max-semi-space-size=2', '--enable-source-maps']

prepare()
const main = join(root, 'server', 'dist', 'bundle', 'main.js')
const child = spawn(pinnedNode(), [...flags, main, ...process.argv.slice(2)], { stdio: 'inherit' })

// A terminal sends SIGINT to both processes; the other signals only reach this one.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
