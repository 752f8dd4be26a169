import { printableJson } from '@svc/terminal'
import { linkOption } from '../arguments/link-kind.ts'
import type { GivenUpload } from '../arguments/upload.ts'
import { errorJson } from '../errors/error-json.ts'
import type { Program } from '../program/program.ts'
import * as report from './report.ts'
import { isSent } from './sending/run-upload.ts'

/**
 * Prints the result of an upload: in a terminal the page's link with a command line for each file, and to a pipe the page's
 * link alone, so that `url=$(svc FILE)` is a link.
 */
export async function printReport(program: Program, given: GivenUpload, of: report.Report): Promise<void> {
  const isNothingSent = !of.results.some(isSent) && !of.upload.stream
  if (given.json === true) {
    const failed = { ...errorJson(of.results[0]?.error), notSent: report.notSent(of) }
    program.print(printableJson(isNothingSent ? failed : report.value(of)))
  } else if (!isNothingSent) for (const line of linesOf(program, given, of)) program.print(line)
  if (given.qr !== true || isNothingSent) return
  const { showQrCode } = await import('../output/qr-code.ts')
  showQrCode(program, report.page(of))
}

function linesOf({ output }: Program, { link, quiet }: GivenUpload, of: report.Report): readonly string[] {
  switch (linkOption(link) ?? (quiet === true ? 'file' : undefined)) {
    case 'page':
      return [report.page(of)]
    case 'file':
      return report.links(of)
    case undefined:
      return output.isTTY === true ? report.lines(of) : [report.page(of)]
  }
}
