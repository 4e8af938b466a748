import type { Area } from '#records/area.ts'
import type installations from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly installations: typeof installations
  }
}

export default {
  id: 'installations',
  needs: 'installations:read',
  menu: { name: { en: 'Installations', de: 'Installationen' }, icon: 'layers', group: 3, order: 0 },
  pages: {
    '/installations': { load: () => import('./installations-page.tsx') },
  },
} satisfies Area
