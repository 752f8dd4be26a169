/**
 * Says that the page could not be opened: a part of it that is needed for everything did not come, such as its texts. So these
 * words are in the page's own language, like those for browsers without scripts in index.html.
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
