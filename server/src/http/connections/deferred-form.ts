import type { IncomingFile } from '../../core/uploads/receive-file.ts'
import type { WaitingSender } from '../../core/streams/send-stream.ts'
import { uploadAborted } from '../../domain/errors.ts'
import type { RequestContext } from '../chain/chain.ts'
import { isHeld } from '../request/expect-continue.ts'
import { announcedFileSize, receiveForm, requireForm } from '../request/multipart.ts'
import { onBrokenRequest } from '../request/request-body.ts'
import { exempt } from './slow-bodies.ts'

/**
 * Lets a request with a file wait before it is read, for as long as it takes.
 * @throws ServiceError as `receiveForm`, and whatever `send` throws
 */
export async function deferForm<Result>(
  context: RequestContext,
  send: (sender: WaitingSender) => Promise<Result>,
): Promise<Result> {
  const { raw } = context.request
  requireForm(raw)
  const { gone, wake } = wait(context)
  try {
    return await send({
      expectedSize: announcedFileSize(raw),
      gone,
      open(use, signal) {
        wake()
        return receiveForm(raw, use, signal)
      },
    })
  } finally {
    wake()
  }
}

/**
 * The same where the request has been read as far as its file, so that its name is known: what comes next waits.
 * @throws whatever `send` throws
 */
export async function deferFile<Result>(
  context: RequestContext,
  file: IncomingFile,
  send: (sender: WaitingSender) => Promise<Result>,
): Promise<Result> {
  const { gone, wake } = wait(context)
  try {
    return await send({
      expectedSize: file.expectedSize,
      // A form that turns out to be broken while it waits has its own reason.
      gone: AbortSignal.any([file.signal, gone]),
      open(use, signal) {
        wake()
        return use({ ...file, signal: AbortSignal.any([file.signal, signal]) })
      },
    })
  } finally {
    wake()
  }
}

/** Nothing moves on the connection until somebody wants the file, and that must not look like a dead one. */
function wait({ service, request, reply }: RequestContext) {
  const { raw } = request
  const { socket } = raw
  const { timeout } = request.server.server
  const stop = new AbortController()
  const gone = () => {
    stop.abort(uploadAborted())
  }
  const forget = onBrokenRequest(raw, gone)
  reply.raw.once('close', gone)
  if (reply.raw.destroyed) gone()
  // A connection with unread bytes is not read, so that nothing tells of its end.
  const unwatch =
    raw.complete || isHeld(raw) ? undefined : service.peers.watch(socket, () => socket.destroy())
  socket.setTimeout(0)
  const hurry = exempt(raw)
  return {
    gone: stop.signal,
    wake: () => {
      hurry()
      unwatch?.()
      forget()
      reply.raw.off('close', gone)
      socket.setTimeout(timeout)
    },
  }
}
