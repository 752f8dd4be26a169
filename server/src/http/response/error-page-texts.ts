import type { Language } from '@svc/contract'

/** The texts of the error page in a language. Those of errors are also in the web application. */
export interface ErrorPageTexts {
  /** Title for an address without a page. */
  readonly missing: string
  /** Title for what has existed. */
  readonly gone: string
  /** Sentences by the code of the error. */
  readonly sentences: Readonly<Record<'not_found' | 'upload_not_found' | 'file_not_found', string>>
  /** What a recipient can do. */
  readonly askSender: string
  /** Link to the start page. */
  readonly start: string
  /** Link to the page of the upload. */
  readonly open: string
}

export const errorPageTexts: Readonly<Record<Language, ErrorPageTexts>> = {
  en: {
    missing: 'Page not found',
    gone: 'No longer available',
    sentences: {
      not_found: 'There is nothing at this address.',
      upload_not_found: 'This link does not work: it has expired, was deleted, or never existed.',
      file_not_found: 'The file has expired, was deleted, or was already downloaded.',
    },
    askSender: 'Ask the sender for a new link.',
    start: 'Upload files',
    open: 'Show the upload',
  },
  de: {
    missing: 'Seite nicht gefunden',
    gone: 'Nicht mehr verfügbar',
    sentences: {
      not_found: 'Unter dieser Adresse gibt es nichts.',
      upload_not_found: 'Der Link führt ins Leere: Er ist abgelaufen, wurde entfernt oder hat nie bestanden.',
      file_not_found: 'Die Datei ist abgelaufen, wurde entfernt oder schon heruntergeladen.',
    },
    askSender: 'Bitten Sie den Absender um einen neuen Link.',
    start: 'Dateien senden',
    open: 'Upload anzeigen',
  },
  es: {
    missing: 'Página no encontrada',
    gone: 'Ya no está disponible',
    sentences: {
      not_found: 'No hay nada en esta dirección.',
      upload_not_found: 'El enlace no lleva a nada: ha caducado, se quitó o nunca existió.',
      file_not_found: 'El archivo ha caducado, se quitó o ya se descargó.',
    },
    askSender: 'Pide un enlace nuevo al remitente.',
    start: 'Enviar archivos',
    open: 'Mostrar la subida',
  },
  fr: {
    missing: 'Page introuvable',
    gone: 'Plus disponible',
    sentences: {
      not_found: 'Il n’y a rien à cette adresse.',
      upload_not_found: 'Le lien ne mène à rien : il a expiré, a été retiré, ou n’a jamais existé.',
      file_not_found: 'Le fichier a expiré, a été retiré, ou a déjà été téléchargé.',
    },
    askSender: 'Demandez un nouveau lien à l’expéditeur.',
    start: 'Envoyer des fichiers',
    open: 'Afficher l’envoi',
  },
  it: {
    missing: 'Pagina non trovata',
    gone: 'Non più disponibile',
    sentences: {
      not_found: 'A questo indirizzo non c’è nulla.',
      upload_not_found: 'Il link non porta a nulla: è scaduto, è stato rimosso o non è mai esistito.',
      file_not_found: 'Il file è scaduto, è stato rimosso o è già stato scaricato.',
    },
    askSender: 'Chiedi un nuovo link al mittente.',
    start: 'Invia file',
    open: 'Mostra il caricamento',
  },
  nl: {
    missing: 'Pagina niet gevonden',
    gone: 'Niet meer beschikbaar',
    sentences: {
      not_found: 'Op dit adres is niets.',
      upload_not_found: 'De link leidt nergens heen: hij is verlopen, verwijderd, of heeft nooit bestaan.',
      file_not_found: 'Het bestand is verlopen, verwijderd, of al gedownload.',
    },
    askSender: 'Vraag de afzender om een nieuwe link.',
    start: 'Bestanden versturen',
    open: 'Upload tonen',
  },
  pl: {
    missing: 'Nie znaleziono strony',
    gone: 'Już niedostępne',
    sentences: {
      not_found: 'Pod tym adresem nic nie ma.',
      upload_not_found: 'Link nie prowadzi donikąd: wygasł, został usunięty albo nigdy nie istniał.',
      file_not_found: 'Plik wygasł, został usunięty albo już pobrany.',
    },
    askSender: 'Poproś nadawcę o nowy link.',
    start: 'Wyślij pliki',
    open: 'Pokaż przesłane pliki',
  },
  pt: {
    missing: 'Página não encontrada',
    gone: 'Já não está disponível',
    sentences: {
      not_found: 'Não há nada neste endereço.',
      upload_not_found: 'A ligação não leva a nada: expirou, foi removida ou nunca existiu.',
      file_not_found: 'O ficheiro expirou, foi removido ou já foi transferido.',
    },
    askSender: 'Peça uma nova ligação ao remetente.',
    start: 'Enviar ficheiros',
    open: 'Mostrar o envio',
  },
  sv: {
    missing: 'Sidan hittades inte',
    gone: 'Inte längre tillgänglig',
    sentences: {
      not_found: 'Det finns inget på den här adressen.',
      upload_not_found: 'Länken leder ingenstans: den har gått ut, togs bort, eller har aldrig funnits.',
      file_not_found: 'Filen har gått ut, togs bort, eller har redan laddats ner.',
    },
    askSender: 'Be avsändaren om en ny länk.',
    start: 'Skicka filer',
    open: 'Visa uppladdningen',
  },
  ru: {
    missing: 'Страница не найдена',
    gone: 'Больше недоступно',
    sentences: {
      not_found: 'По этому адресу ничего нет.',
      upload_not_found: 'Ссылка никуда не ведёт: её срок вышел, её убрали или её никогда не было.',
      file_not_found: 'Срок файла вышел, его убрали или уже скачали.',
    },
    askSender: 'Попросите у отправителя новую ссылку.',
    start: 'Отправить файлы',
    open: 'Показать загрузку',
  },
  hi: {
    missing: 'पेज नहीं मिला',
    gone: 'अब उपलब्ध नहीं',
    sentences: {
      not_found: 'इस पते पर कुछ नहीं है।',
      upload_not_found: 'लिंक कहीं नहीं जाता: उसका समय बीत गया, वह हटाया गया, या कभी था ही नहीं।',
      file_not_found: 'फ़ाइल का समय बीत गया, वह हटाई गई, या डाउनलोड हो चुकी है।',
    },
    askSender: 'भेजने वाले से नया लिंक माँगें।',
    start: 'फ़ाइलें भेजें',
    open: 'अपलोड दिखाएँ',
  },
  ja: {
    missing: 'ページが見つかりません',
    gone: '利用できなくなりました',
    sentences: {
      not_found: 'このアドレスには何もありません。',
      upload_not_found:
        'リンクの先には何もありません。期限が過ぎたか、取り除かれたか、初めからなかったのです。',
      file_not_found: 'ファイルは期限が過ぎたか、取り除かれたか、もうダウンロードされました。',
    },
    askSender: '送信者に新しいリンクを頼んでください。',
    start: 'ファイルを送る',
    open: 'アップロードを表示',
  },
  zh: {
    missing: '找不到页面',
    gone: '不再可用',
    sentences: {
      not_found: '这个地址下什么也没有。',
      upload_not_found: '链接没有指向任何东西：它过期了、被移除了，或者从来没有过。',
      file_not_found: '文件过期了、被移除了，或者已经被下载了。',
    },
    askSender: '请向发送者索取新链接。',
    start: '发送文件',
    open: '显示上传',
  },
  ar: {
    missing: 'الصفحة غير موجودة',
    gone: 'لم يعد متاحًا',
    sentences: {
      not_found: 'لا يوجد شيء على هذا العنوان.',
      upload_not_found: 'لا يعمل هذا الرابط: انتهت صلاحيته، أو حُذف، أو لم يكن موجودًا قط.',
      file_not_found: 'انتهت صلاحية الملف، أو حُذف، أو نُزِّل من قبل.',
    },
    askSender: 'اطلب رابطًا جديدًا من المرسل.',
    start: 'رفع ملفات',
    open: 'عرض الملفات المرفوعة',
  },
  he: {
    missing: 'הדף לא נמצא',
    gone: 'כבר לא זמין',
    sentences: {
      not_found: 'אין דבר בכתובת הזאת.',
      upload_not_found: 'הקישור הזה לא פועל: תוקפו פג, הוא נמחק, או שמעולם לא היה קיים.',
      file_not_found: 'תוקף הקובץ פג, הוא נמחק, או שכבר הורד.',
    },
    askSender: 'אפשר לבקש מהשולח קישור חדש.',
    start: 'העלאת קבצים',
    open: 'הצגת ההעלאה',
  },
}
