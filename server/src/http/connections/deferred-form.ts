import type { IncomingFile } from '../../core/uploads/receive/receive-file.ts'
import type { WaitingSender } from '../../core/streams/send-stream.ts'
import { uploadAborted } from '../../domain/errors.ts'
import type { RequestContext } from '../steps/chain.ts'
import { isWithheld } from '../request/expect-continue.ts'
import { announcedFileSize, receiveForm, requireForm } from '../request/forms/multipart.ts'
import { onBrokenRequest } from '../request/request-body.ts'
import { exempt } from './slow-bodies.ts'

/**
 * Lets a request with a file wait unread, without a timeout.
 * @throws ServiceError as `receiveForm`, and the errors of `send`
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
      disconnected: gone,
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
 * Lets the content of a file wait when the request has been read up to it, so that its name is known.
 * @throws the errors of `send`
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
      // A form that breaks while it waits has a more specific reason.
      disconnected: AbortSignal.any([file.signal, gone]),
      open(use, signal) {
        wake()
        return use({ ...file, signal: AbortSignal.any([file.signal, signal]) })
      },
    })
  } finally {
    wake()
  }
}

/** No bytes move on the connection until a recipient wants the file. The idle timeout must not close it. */
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
  // Node does not read a connection with unread bytes, so it does not notice its end.
  const unwatch =
    raw.complete || isWithheld(raw) ? undefined : service.peers.watch(socket, () => socket.destroy())
  socket.setTimeout(0)
  const endExemption = exempt(raw)
  return {
    gone: stop.signal,
    wake: () => {
      endExemption()
      unwatch?.()
      forget()
      reply.raw.off('close', gone)
      socket.setTimeout(timeout)
    },
  }
}
