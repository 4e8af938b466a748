import type { Area } from '#records/area.ts'
import type welcome from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly welcome: typeof welcome
  }
}

export default {
  id: 'welcome',
  needs: 'signatures:write',
  pages: {
    '/welcome': { load: () => import('./welcome-page.tsx'), texts: ['welcome', 'templates'] },
  },
} satisfies Area
