// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/page_catalogue.h"

#include "pages/dead_letters/dead_letters_page.h"
#include "pages/overview/overview_page.h"
#include "pages/records/records_page.h"

#include <QCoreApplication>

namespace outbox::ui {

namespace {

struct Names {
    Q_DECLARE_TR_FUNCTIONS(outbox::ui::Navigation)
};

template <typename P>
Page *make(PageContext context, QWidget *parent)
{
    return new P(context, parent);
}

} // namespace

QList<PageEntry> pageCatalogue()
{
    return {
        {QStringLiteral("overview"), Names::tr("Overview"), make<OverviewPage>},
        {QStringLiteral("records"), Names::tr("Records"), make<RecordsPage>},
        {QStringLiteral("dead_letters"), Names::tr("Dead letters"), make<DeadLettersPage>},
    };
}

} // namespace outbox::ui
