// Text of the sender that resembles an attribution, directly above one or above a quote: the signature stands below it.
import { type CorpusMessage, html, mail, reply, text } from './builder.ts'

/** A message: its name, if it answers another one, and its text. */
type LookAlike = readonly [name: string, isAnswer: boolean, source: string]

const inText: readonly LookAlike[] = [
  [
    'closing, folded',
    true,
    'Best regards,\nAda Lovelace\n¶On Wed, Nov 18, 2026 at 10:02 AM Bob\nRoss <bob@example.org> wrote:\n> Q\n',
  ],
  [
    'closing with comma',
    true,
    'Yes.\n\nBest regards,\n¶Am Mi., 18. Nov. 2026 um 10:02 Uhr schrieb Hans\nMüller <hans@example.org>:\n> Q\n',
  ],
  [
    'closing before weekday',
    true,
    'Danke,\nAda\n¶ср, 18 нояб. 2026 г. в 10:02, Иван\nПетров <ivan@example.org>:\n> Q\n',
  ],
  ['own sentence with a date', true, 'The invoice of 18.11.2026 is paid.\n¶> Did you pay?\n'],
  ['own contact lines', true, 'Yes.\n\nAda Lovelace <ada@example.com>\n+44 20 7946 0018\n¶> Did you pay?\n'],
  [
    'own contact lines with a gap',
    true,
    'Yes.\n\nAda Lovelace <ada@example.com>\n+44 20 7946 0018\n¶\n> Did you pay?\n',
  ],
  [
    'own contact, address last',
    true,
    'Ada Lovelace\nAnalytical Engines Ltd, London\n020 7946 0018\nada@example.com\n¶\n> Q\n',
  ],
  [
    'list of people',
    true,
    'Ask one of them:\n1. Bob Ross <bob@example.org>\n2. Ann Lee <ann@example.org>\n¶> Whom?\n',
  ],
  ['list with dates', true, '18.11.2026 10:00 Berlin\n19.11.2026 11:00 Hamburg\n¶> When?\n'],
  [
    'own date above',
    true,
    'The meeting is on 20 Nov 2026, 10:00\n¶On Wed, 18 Nov 2026 at 10:02, Bob\nRoss <bob@example.org> wrote:\n> Q\n',
  ],
  ['open end above', true, 'See you on Wed,\n¶18.11.2026 10:02, Иван Петров пишет:\n> Q\n'],
  ['name above name', true, 'Thanks,\nAda\n¶Bob Ross <bob@example.org> wrote:\n> Q\n'],
  [
    'wrapped prose before quote',
    true,
    'As I said on 18 Nov 2026 we should\nnot pay more than 4500 for this, and\nBob agrees with me on this one:\n¶> text\n',
  ],
  [
    'wrapped prose with address before quote',
    true,
    'Die Zahlen vom 18.11.2026 sind da,\nbitte prüfen und dann an Bob Ross\n<bob@example.org> schicken:\n¶> Wohin?\n',
  ],
  [
    'as I wrote',
    true,
    'As I wrote on 18.11.2026 to Bob, we\nneed the following:\n\n- offers\n- prices\n\nAda\n¶',
  ],
  [
    'wie Frau Meier schrieb',
    true,
    'Wie Frau Meier am 18.11.2026 um 10:02 schrieb, brauchen\nwir folgende Unterlagen:\n\n- a\n- b\n\nAda\n¶',
  ],
  [
    'am schrieb ich',
    true,
    'Am 18.11.2026 schrieb ich Ihnen, dass wir\nfolgende Unterlagen brauchen:\n\n- a\n- b\n\nAda\n¶',
  ],
  [
    'am schrieb ich, one line',
    true,
    'Am 18.11.2026 schrieb ich Ihnen, dass wir folgende Unterlagen brauchen:\n\n- a\n- b\n\nAda\n¶',
  ],
  [
    'on I wrote to',
    true,
    'On 18.11.2026 I wrote to Bob Ross\n<bob@example.org> that we need the\nfollowing:\n\n- a\n\nAda\n¶',
  ],
  [
    'send to address',
    true,
    'Please send the numbers of 18.11.2026 to\nBob Ross <bob@example.org>:\n\n- offers\n- prices\n\nAda\n¶',
  ],
  [
    'answers in a list',
    true,
    '1: yes\n2: 28 January 2025 at 07:15, by courier\n3: ask Wilma <wilma@stone.example>:\n   she has the list\n\nOk?\n¶',
  ],
  [
    'commands in a new mail',
    false,
    'Since 18 Nov 2026 at 10:02 the server\nhas a new name, so we have to\nrun this now:\n> ping server\n\nAda\n¶',
  ],
  [
    'commands in a new mail, one line',
    false,
    'Since 18 Nov 2026 at 10:02 the server has a new name:\n> ping server\n\nAda\n¶',
  ],
  ['new mail with contacts', false, 'Ada Lovelace <ada@example.com>\n+44 20 7946 0018\n> npm start\n¶'],
  [
    'bottom answer with a date',
    true,
    'On Wed, 18 Nov 2026 at 10:02, Bob\nRoss <bob@example.org> wrote:\n> Q\n\nThe answer of 18.11.2026 for Ann Lee\n<ann@example.org> is:\nyes.\n¶',
  ],
  ['PS with number', true, "PS: Bob's number is 020 7946 0018\n¶Bob Ross <bob@example.org> writes:\n> Q\n"],
  [
    'phone above',
    true,
    'Ada Lovelace, +44 20 7946 0018\n¶Bob Ross <bob@example.org> wrote on\n18 Nov 2026 at 10:02:\n> Q\n',
  ],
  [
    'closing as long as the attribution',
    true,
    'Viele Grüße aus dem schönen Berlin, Ada\n¶Am 18.11.26 um 10:02 schrieb Hans Müller:\n> Q\n',
  ],
  [
    'two closings',
    true,
    'Have a nice day,\nBob\nAnalytical Engines\n¶2026-11-18 10:02 GMT+01:00 Ann Lee\n<ann@example.org>:\n> Q\n',
  ],
  [
    'question above',
    true,
    'Kommst du auch?\n¶Am Mi., 18. Nov. 2026 um\n10:02 Uhr schrieb Hans\nMüller <hans@example.org>:\n> Q\n',
  ],
  [
    'schedule',
    true,
    'Our plan for 18 Nov 2026:\n10:00 start,\n10:30 talk by Bob <bob@example.org>,\n11:00 end:\n\nAll in room 3.\n¶',
  ],
  [
    'name and title',
    true,
    'Kind regards\nDr. Ada Lovelace\nHead of Engines\n¶Bob Ross schrieb am 18.11.2026 um\n10:02:\n> Q\n',
  ],
  [
    'signature with dashes',
    true,
    'Ok.\n-- \nAda Lovelace, London, since 1815-12-10\n¶On Nov 18, 2026, at 10:02, Bob Ross\n<bob@example.org> wrote:\n> Q\n',
  ],
  [
    'Spark without a gap',
    true,
    'Zara\n¶On 6 May 2025 at 17:48\n+0100, Nico Brandão\n<nico@loudlemon.example>,\nwrote:\n> Q\n',
  ],
  [
    'prices before a quote',
    true,
    'The prices from 01.01.2027 are for\nyou 1200, for Ann Lee 1500, and for\nall others 1800:\n¶> What does it cost?\n',
  ],
  [
    'wrapped answer, then quote',
    true,
    'I have told Bob on 18 Nov 2026 at\n10:02 that he gets it as soon as we\nhave it\n¶> When does Bob get it?\n',
  ],
  [
    'link before a quote',
    true,
    'See https://example.com/2026/11/18/\nor write to help@example.com\n¶> Where?\n',
  ],
  [
    'quote from a book',
    true,
    'In her letter of 18 Nov 1843 at 10:02\nshe wrote to him that the engine is\nof no use, and then:\n\nIt weaves.\n\nAda\n¶',
  ],
]

const inHtml: readonly LookAlike[] = [
  [
    'a closing',
    true,
    '<div>Danke,<br>Ada</div>¶<div>ср, 18 нояб. 2026 г. в 10:02, Иван<br>Петров &lt;ivan@example.org&gt;:</div><blockquote>Q</blockquote>',
  ],
  [
    'a closing behind line breaks',
    true,
    'Yes.<br><br>Best regards,<br>¶Am Mi., 18. Nov. 2026 um 10:02 Uhr schrieb Hans<br>Müller &lt;hans@example.org&gt;:<br><blockquote>Q</blockquote>',
  ],
  [
    'a sentence of two lines',
    true,
    'As I wrote on 18.11.2026 to Bob, we<br>need the following:<br><br>- offers<br>- prices<br><br>Ada<br>¶',
  ],
  [
    'a question',
    true,
    'Kommst du auch?<br>¶Am Mi., 18. Nov. 2026 um<br>10:02 Uhr schrieb Hans<br>Müller &lt;hans@example.org&gt;:<br><blockquote>Q</blockquote>',
  ],
  [
    'a number',
    true,
    "PS: Bob's number is 020 7946 0018<br>¶Bob Ross &lt;bob@example.org&gt; writes:<br><blockquote>Q</blockquote>",
  ],
  [
    'a schedule',
    true,
    'Our plan for 18 Nov 2026:<br>10:00 start,<br>10:30 talk by Bob &lt;bob@example.org&gt;,<br>11:00 end:<br><br>All in room 3.<br>¶',
  ],
]

const messages = (kind: string, part: typeof text, list: readonly LookAlike[]): CorpusMessage[] =>
  list.map(([name, isAnswer, source]) =>
    (isAnswer ? reply : mail)(`${kind} above a quote: ${name}`, part(source)),
  )

export const attributionLookAlikes = [...messages('text', text, inText), ...messages('HTML', html, inHtml)]
