import { defineCommand } from 'citty'
import { usageFailure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'
import {
  checkOptionsOf,
  requestActions,
  requestArguments,
  type GivenRequest,
  type RequestAction,
} from '../../requests/request-arguments.ts'

export const request = (program: Program) =>
  defineCommand({
    meta: {
      name: 'request',
      description:
        'Ask others for files: create a link with which they send files to you, encrypted for a key on this computer. Fetch, close and delete requests',
    },
    args: requestArguments,
    async run({ args: given, rawArgs }) {
      const [input = 'ls', what, ...more] = given._
      const action = requestActions.find((one) => one === input)
      if (action === undefined) throw usageFailure(`${input} is not one of ${requestActions.join(', ')}`)
      if (more.length > 0) throw usageFailure(`unexpected: ${String(more[0])}`)
      checkOptionsOf(action, rawArgs)
      await act(program, given, action, what)
    },
  })

async function act(
  program: Program,
  given: GivenRequest,
  action: RequestAction,
  what: string | undefined,
): Promise<void> {
  if (action === 'new') {
    const { newRequest } = await import('../../requests/new-request.ts')
    await newRequest(program, given, what)
    return
  }
  const manage = await import('../../requests/manage-requests.ts')
  if (action === 'ls') {
    if (what !== undefined) throw usageFailure(`unexpected: ${what}`)
    await manage.listRequests(program, given)
    return
  }
  if (what === undefined) throw usageFailure(`name a request: svc request ${action} LINK`)
  switch (action) {
    case 'show':
      await manage.showRequest(program, given, what)
      break
    case 'get':
      await (await import('../../requests/get-received.ts')).getReceived(program, given, what)
      break
    case 'close':
    case 'open':
      await manage.setClosed(program, given, what, action === 'close')
      break
    case 'rm':
      await manage.removeRequest(program, given, what)
      break
  }
}
