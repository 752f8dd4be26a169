import { printableJson } from '@svc/terminal'
import { parseLinkOption } from '../arguments/link-kind.ts'
import type { UploadArgs } from '../arguments/upload-args.ts'
import { errorJson } from '../errors/error-json.ts'
import type { Program } from '../program/program.ts'
import * as report from './report.ts'
import { isSent } from './sending/run-upload.ts'

/**
 * Prints the result of an upload: in a terminal the page's link with a command line for each file, and to a pipe the page's
 * link alone, so that `url=$(svc FILE)` is a link.
 */
export async function printReport(
  program: Program,
  args: UploadArgs,
  uploadReport: report.Report,
): Promise<void> {
  const isNothingSent = !uploadReport.results.some(isSent) && !uploadReport.upload.stream
  if (args.json === true) {
    const failed = { ...errorJson(uploadReport.results[0]?.error), notSent: report.notSent(uploadReport) }
    program.print(printableJson(isNothingSent ? failed : report.value(uploadReport)))
  } else if (!isNothingSent) for (const line of linesOf(program, args, uploadReport)) program.print(line)
  if (args.qr !== true || isNothingSent) return
  const { showQrCode } = await import('../output/qr-code.ts')
  showQrCode(program, report.page(uploadReport))
}

function linesOf(
  { output }: Program,
  { link, quiet }: UploadArgs,
  uploadReport: report.Report,
): readonly string[] {
  switch (parseLinkOption(link) ?? (quiet === true ? 'file' : undefined)) {
    case 'page':
      return [report.page(uploadReport)]
    case 'file':
      return report.links(uploadReport)
    case undefined:
      return output.isTTY === true ? report.lines(uploadReport) : [report.page(uploadReport)]
  }
}
