// React Aria empties the texts for screen readers with `innerHTML = ''`. The page's policy of trusted types refuses
// that and the page breaks at the first key in a field for dates or numbers. The build replaces the statement.
import type { Plugin } from 'vite'

const refused = /\.innerHTML = ''/g

export const announcerWithoutHtml = (): Plugin => ({
  name: 'announcer-without-html',
  enforce: 'pre',
  transform: {
    filter: { id: /\/dist\/private\/live-announcer\/LiveAnnouncer\.m?js$/ },
    handler: code => {
      const changed = code.replaceAll(refused, '.replaceChildren()')
      if (changed === code || changed.includes('innerHTML'))
        throw new Error('React Aria has changed its live announcer: look at announcer-without-html.ts.')
      return { code: changed, map: null }
    },
  },
})
