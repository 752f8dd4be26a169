import type { Page } from '@svc/contract'

/**
 * The results of all pages of a list, in its order.
 * @param request requests a page: the first one without `after`
 * @throws the errors of `request`
 */
export async function allPages<Item>(
  request: (query: { readonly after?: string }) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page: Page<Item> = await request(after === undefined ? {} : { after })
    items.push(...page.results)
    ;({ after } = page)
  }
  return items
}
