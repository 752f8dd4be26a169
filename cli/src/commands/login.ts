import { hostname } from 'node:os'
import { ApiError, isTransient, type Client } from '@svc/sdk'
import { defineCommand, type ArgsDef } from 'citty'
import { limits } from '@svc/contract'
import { printable } from '@svc/terminal'
import { serverArguments } from '../arguments/common.ts'
import { changeProfile, settingsPath } from '../config/settings-file.ts'
import { findTarget, requireServer } from '../config/target.ts'
import { Failure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { connect } from '../http/connect.ts'
import { openBrowser } from '../interactive/browser.ts'

const { server, profile, insecure } = serverArguments
const args = {
  server,
  profile,
  insecure,
  browser: {
    type: 'boolean',
    default: true,
    description: 'Open the page in a browser',
    negativeDescription: 'Do not open a browser',
  },
} as const satisfies ArgsDef

export const login = (program: Program) =>
  defineCommand({
    meta: {
      name: 'login',
      description: 'Log in with a browser. Uploads from this computer then belong to your account',
    },
    args,
    async run({ args: given }) {
      const found = await findTarget(program, given)
      const target = await requireServer(program, { ...found, token: undefined })
      const client = connect(program, target, target.server)
      const started = await client.startCliLogin({ hostname: hostname().slice(0, limits.hostnameLength) })
      await show(program, started, given.browser)
      const token = await poll(program, client, started)
      await changeProfile(program, target.profileName, { server: target.server, token })
      program.printToStderr(`Logged in to ${target.server}; the token is in ${settingsPath(program)}`)
    },
  })

type Started = Awaited<ReturnType<Client['startCliLogin']>>

async function show(program: Program, { code, verifyURL }: Started, browser: boolean): Promise<void> {
  const url = printable(verifyURL)
  program.printToStderr(`To log in, open this page and enter the code ${printable(code)}:\n\n  ${url}\n`)
  if (program.errors.isTTY === true) {
    const { toString: drawn } = await import('qrcode')
    program.printToStderr(await drawn(url, { type: 'utf8', margin: 2 }))
  }
  // Only web addresses are passed to the system.
  if (browser && program.errors.isTTY === true && /^https?:\/\//.test(verifyURL))
    await openBrowser(program, verifyURL)
}

/** Polls until the login is approved or has expired. */
async function poll(program: Program, client: Client, started: Started): Promise<string> {
  const { clock, interrupted } = program
  const end = clock.now() + started.expiresIn * 1000
  while (clock.now() < end) {
    await clock.sleep(started.interval * 1000, interrupted)
    try {
      const { token } = await client.pollCliLogin(started, { signal: interrupted })
      if (token !== undefined) return token
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) break
      if (!isTransient(error)) throw error
    }
  }
  throw new Failure('the login was not approved in time')
}
