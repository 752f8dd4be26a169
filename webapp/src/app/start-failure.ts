/**
 * Shows that the page cannot start, because an essential part such as its texts did not load. The message is in English, like
 * that for browsers without scripts in index.html.
 */
export function showStartFailure(): void {
  const notice = document.createElement('main')
  notice.className = 'notice'
  const heading = document.createElement('h1')
  heading.textContent = 'This page could not be loaded'
  const advice = document.createElement('p')
  advice.textContent = 'Check your network, then try again.'
  const again = document.createElement('button')
  again.type = 'button'
  again.className = 'button primary'
  again.textContent = 'Try again'
  again.addEventListener('click', () => {
    location.reload()
  })
  notice.append(heading, advice, again)
  document.querySelector('#app')?.replaceChildren(notice)
}
