// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/theme.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace outbox::ui::theme {

namespace {

/// Draws a one-coloured SVG in the colour that the application's palette has at that moment.
class TintedIconEngine final : public QIconEngine {
public:
    explicit TintedIconEngine(QString name) : name_(std::move(name)) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
        painter->drawPixmap(rect, render(rect.size(), ratio, mode, state));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        return render(size, 1.0, mode, state);
    }

    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State state, qreal scale) override
    {
        // The size counts device pixels already.
        Q_UNUSED(scale)
        return render(size, 1.0, mode, state);
    }

    QIconEngine *clone() const override { return new TintedIconEngine(name_); }

private:
    QPixmap render(const QSize &size, qreal ratio, QIcon::Mode mode, QIcon::State state) const
    {
        const Colours &c = coloursOf(QGuiApplication::palette());
        const bool chosen = mode == QIcon::Selected || state == QIcon::On;
        const QColor colour = mode == QIcon::Disabled ? c.secondary : chosen ? c.accent : c.ink;
        const QSize pixels = size * ratio;
        const QString key = QStringLiteral("outbox-icon/%1/%2/%3x%4")
                                .arg(name_, colour.name())
                                .arg(pixels.width())
                                .arg(pixels.height());
        QPixmap pixmap;
        if (!QPixmapCache::find(key, &pixmap)) {
            pixmap = QPixmap(pixels);
            pixmap.fill(Qt::transparent);
            QFile file(QStringLiteral(":/outbox/icons/%1.svg").arg(name_));
            if (file.open(QIODevice::ReadOnly)) {
                const QByteArray drawing = file.readAll().replace("#000", colour.name().toLatin1());
                QPainter painter(&pixmap);
                QSvgRenderer(drawing).render(&painter, QRectF(QPointF(0, 0), QSizeF(pixels)));
            }
            QPixmapCache::insert(key, pixmap);
        }
        pixmap.setDevicePixelRatio(ratio);
        return pixmap;
    }

    QString name_;
};

} // namespace

QIcon icon(const QString &name) { return QIcon(new TintedIconEngine(name)); }

} // namespace outbox::ui::theme
