import { defineCommand } from 'citty'
import { usageFailure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'
import {
  refuseOtherOptions,
  requestActions,
  requestArgsDef,
  type RequestArgs,
  type RequestAction,
} from '../../requests/request-args.ts'

export const request = (program: Program) =>
  defineCommand({
    meta: {
      name: 'request',
      description:
        'Ask others for files: create a link with which they send files to you, encrypted for a key on this computer. Fetch, close and delete requests',
    },
    args: requestArgsDef,
    async run({ args, rawArgs }) {
      const [input = 'ls', what, ...more] = args._
      const action = requestActions.find((known) => known === input)
      if (action === undefined) throw usageFailure(`${input} is not one of ${requestActions.join(', ')}`)
      if (more.length > 0) throw usageFailure(`unexpected: ${String(more[0])}`)
      refuseOtherOptions(action, rawArgs)
      await act(program, args, action, what)
    },
  })

async function act(
  program: Program,
  args: RequestArgs,
  action: RequestAction,
  what: string | undefined,
): Promise<void> {
  if (action === 'new') {
    const { newRequest } = await import('../../requests/new-request.ts')
    await newRequest(program, args, what)
    return
  }
  const manage = await import('../../requests/manage-requests.ts')
  if (action === 'ls') {
    if (what !== undefined) throw usageFailure(`unexpected: ${what}`)
    await manage.listRequests(program, args)
    return
  }
  if (what === undefined) throw usageFailure(`name a request: svc request ${action} LINK`)
  switch (action) {
    case 'show':
      await manage.showRequest(program, args, what)
      break
    case 'get':
      await (await import('../../requests/get-received.ts')).getReceived(program, args, what)
      break
    case 'close':
    case 'open':
      await manage.setClosed(program, args, what, action === 'close')
      break
    case 'rm':
      await manage.removeRequest(program, args, what)
      break
  }
}
