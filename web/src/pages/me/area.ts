import type { Area } from '#records/area.ts'
import type me from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly me: typeof me
  }
}

export default {
  id: 'me',
  menu: { name: { en: 'My signature', de: 'Meine Signatur' }, icon: 'id-card', group: 0, order: 1 },
  pages: {
    '/me': { load: () => import('./me-page.tsx') },
  },
} satisfies Area
