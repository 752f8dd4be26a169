import type { Account } from '../account.ts'
import { median, timeInSeconds } from '../measure.ts'
import { request } from '../stored.ts'

/** The number of requests for each page. */
const times = 20

/** The median time until all of a page has arrived, in milliseconds, after a request that is not measured. */
export async function pageTime(
  address: string,
  { sessionHeaders }: Account,
  signal: AbortSignal,
): Promise<number> {
  const page = async () => (await request(address, { headers: sessionHeaders, signal })).text()
  await page()
  const measurements: number[] = []
  for (let asked = 0; asked < times; asked += 1) measurements.push((await timeInSeconds(page)) * 1000)
  return median(measurements)
}
