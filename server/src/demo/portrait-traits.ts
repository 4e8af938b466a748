// How the people of the demo look: skin from light (0) to dark (5), hair, its colour, and extras.
import type { PortraitTraits } from './portraits.ts'

const table = `Ada Moreno|2|wavy|espresso|earrings
Amara Okafor|5|afro|black|earrings
Aiko Tanaka|1|bob|black|
Arjun Mehta|3|quiff|black|beard
Astrid Nilsen|0|fringe|blond|freckles
Bea Fontaine|1|bun|chestnut|round
Ben Whitaker|0|short|brown|stubble
Bruno Carvalho|3|curls|espresso|beard
Camille Laurent|0|side|brown|
Chiara Ricci|1|long|espresso|earrings
Chloé Bernard|0|pixie|copper|freckles
Daniel Osei|5|crop|black|
Dilnoza Karimova|2|fringe|black|
Diego Fuentes|2|short|black|moustache
Elena Petrova|0|long|blond|glasses
Elif Yılmaz|1|headscarf|brown|
Emeka Nwosu|5|bald|black|beard
Emma Lindqvist|0|ponytail|blond|
Farah Haddad|2|side|black|earrings
Felix Brandt|0|quiff|blond|
Fiona MacLeod|0|wavy|copper|freckles
Gabriel Silva|3|curls|black|stubble
Grace Kim|1|long|black|round
Hana Nováková|0|bob|chestnut|
Hassan Rahimi|2|short|black|beard
Hugo Martin|0|curls|brown|glasses
Imani Wanjiru|4|bun|black|earrings
Ines Duarte|1|ponytail|espresso|
Ivan Horvat|0|crop|brown|stubble
Jonas Weber|0|short|blond|glasses
Julia Kowalska|0|wavy|blond|
Kai Nakamura|1|quiff|black|
Kofi Mensah|5|curls|black|glasses
Lars Andersen|0|receding|grey|beard
Leila Benali|2|headscarf|black|glasses
Liam O’Connor|0|short|copper|beard
Lucía Romero|2|fringe|espresso|earrings
Maja Jovanović|1|pixie|espresso|earrings
Marco Bianchi|1|receding|grey|moustache
Mei Lin|1|bun|black|
Mira Patel|3|long|black|
Noah Fischer|0|crop|blond|
Nora Haugen|0|bob|grey|glasses
Omar Farouk|3|bald|black|stubble
Oskar Virtanen|0|quiff|brown|beard
Paula Schmidt|0|side|chestnut|round
Ravi Iyer|4|short|black|glasses
Sofia Papadaki|1|wavy|brown|
Tomás Herrera|2|curls|brown|
Yara Cohen|2|ponytail|brown|freckles`

export const traitsByName: ReadonlyMap<string, PortraitTraits> = new Map(
  table.split('\n').map(row => {
    const [name = '', skin, hair, colour, extra] = row.split('|')
    const extras = extra ? [extra] : []
    return [name, { skin: Number(skin), hair, colour, extras } as unknown as PortraitTraits]
  }),
)
