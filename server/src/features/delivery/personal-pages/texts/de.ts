import type { PageTexts } from './page-texts.ts'

const copy = 'Wählen Sie oben „Signatur kopieren“.'

export const germanPage: PageTexts = {
  title: 'Ihre E-Mail-Signatur',
  states: {
    never:
      'Ihre Signatur ist bereit. Kopieren Sie sie und fügen Sie sie in Ihr Mailprogramm ein: Das dauert eine Minute.',
    outdated:
      'Es gibt eine neue Fassung. Kopieren Sie die Signatur noch einmal und ersetzen Sie damit Ihre bisherige.',
    current:
      'Sie haben die aktuelle Signatur. Es ist nichts zu tun; Sie können sie jederzeit wieder kopieren.',
  },
  noSignature:
    'Für diese Adresse gibt es noch keine Signatur. Alles ist in Ordnung, und Sie müssen nichts tun: Sobald Sie eine bekommen, steht sie hier.',
  copyStates: {
    current:
      'Sie haben die aktuelle Signatur. Fügen Sie sie in Ihr Mailprogramm ein, falls noch nicht geschehen.',
    outdated:
      'Ihre Signatur hat sich geändert, seit diese Seite geöffnet wurde. Laden Sie die Seite neu und kopieren Sie dann die neue.',
    none: 'Für diese Adresse gibt es keine Signatur mehr. Laden Sie die Seite neu, um sicherzugehen.',
  },
  signature: 'So sieht sie aus',
  whichSignature: 'Welche Signatur?',
  kinds: { new: 'Für neue Mails', reply: 'Für Antworten' },
  subjects: { new: 'Neue Nachricht', reply: 'AW: Ihre Nachricht' },
  sampleMail: ['Guten Tag,', 'so wird Ihre E-Mail aussehen.'],
  noReply: 'Antworten haben keine Signatur: Wählen Sie in Ihrem Mailprogramm für Antworten „keine Signatur“.',
  copy: { rich: 'Signatur kopieren', text: 'Als reinen Text kopieren', source: 'HTML-Quelltext kopieren' },
  copied: {
    rich: 'Kopiert. Fügen Sie sie jetzt in Ihr Mailprogramm ein: Die Schritte stehen weiter unten.',
    text: 'Als reiner Text kopiert.',
    source: 'Der HTML-Quelltext ist kopiert.',
  },
  copyRefused:
    'Ihr Browser erlaubt hier kein Kopieren. Die Signatur ist markiert: Drücken Sie Strg+C, am Mac ⌘C.',
  byHand:
    'Die Schaltflächen zum Kopieren brauchen JavaScript. Ohne JavaScript markieren Sie die Signatur mit der Maus und kopieren sie.',
  onDark: 'Auf dunklem Hintergrund zeigen',
  install: 'So richten Sie sie ein',
  likely: 'Vermutlich Ihres',
  programs: {
    gmail: {
      name: 'Gmail',
      steps: [
        copy,
        'Öffnen Sie Gmail am Computer, klicken Sie oben rechts auf das Zahnrad und dann auf „Alle Einstellungen aufrufen“.',
        'Gehen Sie unter „Allgemein“ zu „Signatur“ und wählen Sie „Neu erstellen“. Der Name ist beliebig.',
        'Klicken Sie in das leere Feld und fügen Sie ein.',
        'Wählen Sie darunter diese Signatur für neue E-Mails und, wenn Sie möchten, für Antworten.',
        'Gehen Sie ganz nach unten und wählen Sie „Änderungen speichern“.',
      ],
      note: 'Die Gmail-App auf dem Telefon hat eine eigene Signatur aus reinem Text: Nehmen Sie dafür „Als reinen Text kopieren“.',
    },
    outlook_web: {
      name: 'Outlook im Web',
      steps: [
        copy,
        'Öffnen Sie Outlook im Browser und klicken Sie oben rechts auf das Zahnrad.',
        'Gehen Sie zu „Konto“ und dann „Signaturen“. In älteren Fassungen: „E-Mail“, „Verfassen und antworten“.',
        'Wählen Sie „Signatur hinzufügen“ oder Ihre bisherige und fügen Sie in das Feld ein.',
        'Wählen Sie sie als Standard für neue Nachrichten und Antworten, dann „Speichern“.',
      ],
    },
    new_outlook: {
      name: 'Neues Outlook für Windows und Mac',
      steps: [
        copy,
        'Öffnen Sie die Einstellungen: unter Windows das Zahnrad oben rechts, am Mac „Outlook“ und „Einstellungen“.',
        'Gehen Sie zu „Konten“ und dann „Signaturen“ (am Mac gleich „Signaturen“).',
        'Fügen Sie eine Signatur hinzu, oder öffnen Sie Ihre bisherige, und fügen Sie ein.',
        'Wählen Sie sie als Standard für neue Nachrichten und Antworten, und speichern Sie.',
      ],
    },
    classic_outlook: {
      name: 'Klassisches Outlook für Windows',
      steps: [
        copy,
        'Gehen Sie zu „Datei“, „Optionen“, „E-Mail“ und dann „Signaturen…“.',
        'Wählen Sie „Neu“ und geben Sie einen Namen ein.',
        'Klicken Sie in das Feld und fügen Sie mit Strg+V ein.',
        'Wählen Sie sie oben rechts für neue Nachrichten und für Antworten, dann „OK“.',
      ],
    },
    outlook_phone: {
      name: 'Outlook auf dem Telefon',
      steps: [
        'Öffnen Sie diese Seite auf dem Telefon und wählen Sie „Signatur kopieren“.',
        'Tippen Sie in Outlook oben links auf Ihr Bild, dann auf das Zahnrad.',
        'Tippen Sie auf „Signatur“, löschen Sie den Inhalt, halten Sie den Finger auf das leere Feld und fügen Sie ein.',
        'Gehen Sie zurück; die Signatur ist gespeichert.',
      ],
      note: 'Manche Telefone behalten nur den Text. Dann sieht „Als reinen Text kopieren“ besser aus.',
    },
    apple_mail: {
      name: 'Apple Mail',
      steps: [
        copy,
        'Wählen Sie in Mail am Mac „Mail“, „Einstellungen“ und dann „Signaturen“.',
        'Wählen Sie links Ihren Account, dann „+“, und geben Sie der Signatur einen Namen.',
        'Entfernen Sie den Haken bei „Immer meine Standardschrift verwenden“.',
        'Markieren Sie den Text rechts und fügen Sie darüber ein. Schließen Sie das Fenster; sie ist gespeichert.',
      ],
      note: 'In diesem Fenster können Bilder fehlen. In Ihren Mails sind sie da. Auf dem iPhone: „Einstellungen“, „Apps“, „Mail“, „Signatur“.',
    },
    thunderbird: {
      name: 'Thunderbird',
      steps: [
        'Wählen Sie oben „HTML-Quelltext kopieren“.',
        'Öffnen Sie in Thunderbird das Menü (☰) und wählen Sie „Konten-Einstellungen“, dann Ihr Konto.',
        'Setzen Sie den Haken bei „HTML verwenden“ neben „Signaturtext“.',
        'Fügen Sie in das Feld darunter ein. Es wird von selbst gespeichert.',
      ],
    },
  },
  details: {
    title: 'Ihre Angaben',
    intro: 'Berichtigen Sie, was nicht stimmt. Ihre Signatur zieht nach.',
    save: 'Speichern',
    done: {
      saved: 'Gespeichert. Ihre Signatur zeigt es jetzt.',
      waiting: 'Abgeschickt. Nach der Freigabe steht es in Ihrer Signatur.',
      removed: 'Das Bild ist entfernt.',
      withdrawn: 'Ihr Wunsch ist zurückgezogen.',
    },
    needsApproval: 'Eine Änderung muss freigegeben werden.',
    waits: current => `Wartet auf Freigabe. Bis dahin zeigt Ihre Signatur: ${current}`,
    waitsForRemoval: 'Wartet auf Freigabe: Der Wert wird entfernt.',
    approved: 'Freigegeben. Ihre Signatur zeigt es jetzt.',
    approvedRemoval: 'Freigegeben: Der Wert ist entfernt.',
    rejected: value => `Nicht freigegeben: ${value}`,
    reason: text => `Begründung: ${text}`,
    withdraw: 'Zurückziehen',
    empty: 'nichts',
    problems: {
      text: 'Dieser Wert ist nicht gültig.',
      url: 'Das ist keine Web-Adresse wie https://example.com.',
      email: 'Das ist keine E-Mail-Adresse.',
      phone: 'Das ist keine Telefonnummer wie +49 30 1234567.',
      too_long: 'Das ist zu lang: höchstens 5.000 Zeichen.',
      locked: 'Dieser Wert kann hier nicht mehr geändert werden.',
    },
    someWrong: 'Es wurde noch nichts gespeichert: Bitte berichtigen Sie die markierten Felder.',
  },
  picture: {
    none: 'Noch kein Bild',
    add: 'Bild hinzufügen',
    change: 'Bild ändern',
    remove: 'Entfernen',
    waits: 'Dieses Bild wartet auf Freigabe.',
    approved: 'Dieses Bild wurde freigegeben.',
    rejected: 'Dieses Bild wurde nicht freigegeben.',
    needsScript: 'Das Bild zu ändern braucht JavaScript.',
    crop: 'Wählen Sie den Ausschnitt',
    cropHelp: 'Ziehen Sie das Bild oder bewegen Sie es mit den Pfeiltasten. Vergrößern Sie mit + und −.',
    zoom: 'Vergrößerung',
    use: 'Dieses Bild verwenden',
    cancel: 'Abbrechen',
    sending: 'Das Bild wird gesendet …',
    unreadable: 'Diese Datei ist kein Bild, das Ihr Browser öffnen kann. Wählen Sie ein JPEG oder PNG.',
    failed: 'Das Bild konnte nicht gespeichert werden. Bitte versuchen Sie es noch einmal.',
    limited: 'Zu viele Änderungen in kurzer Zeit. Bitte versuchen Sie es in ein paar Minuten wieder.',
  },
  fields: {
    first_name: 'Vorname',
    last_name: 'Nachname',
    job_title: 'Position',
    department: 'Abteilung',
    company: 'Firma',
    work_phone: 'Telefon (Büro)',
    mobile_phone: 'Mobiltelefon',
    calendar_link: 'Kalender-Link',
    profile_picture: 'Profilbild',
  },
  oldLink: {
    title: 'Dieser Link ist alt',
    explanation: address =>
      `Zu Ihrer Sicherheit gelten Links zu persönlichen Seiten nur eine Zeit lang. Gern schicken wir einen neuen an ${address}.`,
    button: 'Neuen Link schicken',
    sentTitle: 'Schauen Sie in Ihr Postfach',
    sent: address =>
      `Ein neuer Link ist auf dem Weg an ${address}. Kommt er nicht innerhalb weniger Minuten an, sehen Sie im Spam-Ordner nach oder versuchen Sie es später noch einmal.`,
    withoutMail:
      'Bitte fragen Sie die Person, die in Ihrer Firma die Signaturen verwaltet, nach einem neuen Link.',
  },
  missing: {
    title: 'Diese Seite gibt es nicht',
    explanation:
      'Der Link ist nicht vollständig, oder er wurde durch einen neuen ersetzt. Bitte fragen Sie die Person, die ihn geschickt hat, nach dem aktuellen Link.',
  },
  problem: {
    title: 'Das hat nicht geklappt',
    cross_origin: 'Eine andere Website hat dieses Formular gesendet. Es wurde nichts geändert.',
    rate_limited:
      'Es gab zu viele Änderungen in kurzer Zeit. Bitte versuchen Sie es in ein paar Minuten wieder.',
    unreadable_form: 'Das Formular war nicht lesbar. Es wurde nichts geändert.',
    unavailable: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es gleich noch einmal.',
    back: 'Zurück zu Ihrer Seite',
  },
  privacy:
    'Diese Seite ist nur für Sie bestimmt: Wer ihre Adresse kennt, kann sehen und ändern, was Sie hier sehen.',
}
