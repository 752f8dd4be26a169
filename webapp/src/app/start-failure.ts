/**
 * Shows that the page cannot start, because an essential part such as its texts did not load. The message is in English, like
 * that for browsers without scripts; index.html has both.
 */
export function showStartFailure(): void {
  const template = document.querySelector<HTMLTemplateElement>('#start-failure')
  if (!template) return
  template.content.querySelector('button')?.addEventListener('click', () => {
    location.reload()
  })
  document.querySelector('#app')?.replaceChildren(template.content)
}
