import type { Area } from '#records/area.ts'
import type account from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly account: typeof account
  }
}

export default {
  id: 'account',
  pages: {
    '/account': { load: () => import('./account-page.tsx') },
  },
} satisfies Area
